// Loads the file that the document names, within limits.
const loading = (() => {
  const { byId } = page;

  const MAX_BYTES = 64 * 1024 * 1024; // of the file, as the library reads
  const TIMEOUT_MS = 60_000;

  class LoadError extends Error {} // the message is for the reader

  async function readBody(response) {
    const tooLarge = new LoadError("The data file is larger than 64 MiB; this page does not load it.");
    const [chunks, reader] = [[], response.body.getReader()];
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > MAX_BYTES) {
        await reader.cancel();
        throw tooLarge;
      }
      chunks.push(value);
    }
    return new Blob(chunks).arrayBuffer();
  }

  async function loadBytes(url, cache) {
    let response;
    let body;
    try {
      response = await fetch(url, { cache, signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (response.ok) body = await readBody(response);
    } catch (error) {
      if (error instanceof LoadError) throw error;
      throw new LoadError("The data file cannot be loaded: no connection, or no complete response.");
    }
    if (!response.ok) {
      throw new LoadError(`The data file cannot be loaded: the server answered ${response.status}.`);
    }
    return body;
  }

  // From a disk, only the data that are in the document can be read.
  async function readData(cache) {
    if (location.protocol !== "file:") return loadBytes(byId("source").href, cache);
    if (byId("embedded") !== null) return new TextEncoder().encode(byId("embedded").textContent);
    throw new LoadError(
      "Browsers do not let a page from a disk read the file beside it. Serve this folder, for"
        + " example with: python3 -m http.server",
    );
  }

  async function load(cache) {
    const bytes = await readData(cache);
    try {
      return reading.parse(bytes);
    } catch (error) {
      if (!(error instanceof reading.InvalidFile)) throw error;
      throw new LoadError(`The data file is invalid: ${error.message}.`);
    }
  }

  return { LoadError, load };
})();
