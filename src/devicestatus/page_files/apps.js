// Shows apps: the icon of the manifest, or the first letter of the name on the colour of the app.
const apps = (() => {
  const PRIVATE = "System"; // replaces the names of private apps

  const { createElement, isText } = page;

  let icons = null; // normalized app name -> path of its icon; null until loaded
  let indexes = new Map(); // app name -> index of its colour

  const normalize = (name) => name.normalize("NFKC").replace(/\s+/gu, " ").trim().toLowerCase();
  const labelOf = (name) => (name === PRIVATE ? "Private app" : name);
  const colorOf = (name) => (name === PRIVATE ? "private" : String(indexes.get(name)));
  const initialOf = (name) => (name === PRIVATE ? "•" : (/[\p{L}\p{N}]/u.exec(name) ?? ["•"])[0]);

  // Sets which apps are shown, in the order of their first appearance, so that their colours differ.
  function setNames(names) {
    indexes = colors.assign(names.filter((name) => isText(name) && name !== PRIVATE));
  }

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

  // Creates the icon of an app, which an element or text replaces where it cannot be loaded; without
  // an icon returns that at once.
  function createIcon(name, className, createOther) {
    const path = icons?.get(normalize(name));
    if (path === undefined) return createOther();
    const image = createElement("img", { className, alt: "", src: path });
    image.addEventListener("error", () => image.replaceWith(createOther()));
    return image;
  }

  const createSign = (name) => createIcon(name, "", () => initialOf(name));

  // Creates a sign on the colour of the app, as its blocks of the timeline have them.
  function createKey(name, sign = createSign(name)) {
    const key = createElement("span", { className: "tile", ariaHidden: "true" }, sign);
    key.dataset.color = colorOf(name);
    return key;
  }

  const createTile = (name) => createIcon(name, "tile", () => createKey(name, initialOf(name)));

  return {
    colorOf, createIcon, createKey, createSign, createTile, hasIcons: () => icons !== null, labelOf, setIcons, setNames,
  };
})();
