// Loads the file that the document names, within limits.
const loading = (() => {
  const { byId } = page;

  const MAX_BYTES = 64 * 1024 * 1024; // of the file, as the library reads
  const TIMEOUT_MS = 60_000;

  // What happened, without full stop, and what to do; both are for the reader.
  class LoadError extends Error {
    constructor(message, remedy) {
      super(message);
      this.remedy = remedy;
    }
  }

  const LATER = "Totals, charts and the newest problems are those of the page. Try again later.";
  const ABSENT = "Its owner has to publish the file beside this page again.";

  async function readBody(response) {
    const [chunks, reader] = [[], response.body.getReader()];
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > MAX_BYTES) {
        await reader.cancel();
        throw new LoadError("The data file is larger than 64 MiB", "This page does not read so much.");
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
      throw new LoadError("The data file cannot be read: no connection, or no complete answer", LATER);
    }
    if (!response.ok) {
      const isAbsent = response.status === 404 || response.status === 410;
      const message = `The data file cannot be read: the server answered ${response.status}`;
      throw new LoadError(message, isAbsent ? ABSENT : LATER);
    }
    return body;
  }

  async function load(cache) {
    if (location.protocol === "file:") {
      throw new LoadError(
        "A page from a disk shows the newest problems, without search",
        "Browsers do not let it read the file beside it. Serve this folder, for example with:"
          + " python3 -m http.server",
      );
    }
    const bytes = await loadBytes(byId("source").href, cache);
    try {
      return reading.parse(bytes);
    } catch (error) {
      if (!(error instanceof reading.InvalidFile)) throw error;
      throw new LoadError(
        `The data file is invalid: ${error.message}`, "Its owner finds the faults with: sitedata check",
      );
    }
  }

  return { LoadError, load };
})();
