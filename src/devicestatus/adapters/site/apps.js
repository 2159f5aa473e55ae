// Shows apps: the icon of the manifest, or the first letter of the name on the colour of the app.
const apps = (() => {
  const PRIVATE = "System"; // replaces the names of private apps

  const { createElement, isText } = page;

  let icons = null; // normalized app name -> path of its icon; null until loaded

  const normalize = (name) => name.normalize("NFKC").replace(/\s+/gu, " ").trim().toLowerCase();
  const labelOf = (name) => (name === PRIVATE ? "Private app" : name);
  const colorOf = (name) => (name === PRIVATE ? "private" : String(colors.indexOf(name)));
  const initialOf = (name) => (name === PRIVATE ? "•" : (/[\p{L}\p{N}]/u.exec(name) ?? ["•"])[0]);

  // Sets the manifest of icons; without one, letters are shown.
  function setIcons(manifest) {
    icons = new Map();
    for (const icon of Array.isArray(manifest?.icons) ? manifest.icons : []) {
      const names = Array.isArray(icon?.aliases) ? [icon.app, ...icon.aliases] : [icon?.app];
      if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/u.test(icon?.id)) continue;
      for (const name of names.filter(isText).map(normalize)) {
        if (name !== "system" && !icons.has(name)) icons.set(name, `api/icons/${icon.id}.png`);
      }
    }
  }

  // Creates the letter of an app on its colour, which identifies it in the timeline.
  function createLetter(name) {
    const letter = createElement("span", "tile", initialOf(name));
    letter.setAttribute("aria-hidden", "true");
    letter.dataset.color = colorOf(name);
    return letter;
  }

  // Creates the icon of an app, or its letter where there is none.
  function createTile(name) {
    const path = icons?.get(normalize(name));
    if (path === undefined) return createLetter(name);
    const image = createElement("img", "tile");
    image.alt = "";
    image.src = path;
    image.addEventListener("error", () => image.replaceWith(createLetter(name)));
    return image;
  }

  return { colorOf, createLetter, createTile, hasIcons: () => icons !== null, initialOf, labelOf, setIcons };
})();
