// Shows apps: the icon of the manifest, or the first letter of the name on the colour of the app.
const apps = (() => {
  const PRIVATE = "System"; // replaces the names of private apps
  const { createElement, isText } = page;
  let icons = null; // normalized app name -> path of its icon; null until loaded
  let indexes = new Map(); // app name -> index of its colour
  let signs = new Map(); // app name -> its first letter, and another one where several have that
  let ambiguous = new Set(); // paths of the icons that several apps of the window have
  const normalize = (name) => name.normalize("NFKC").replace(/\s+/gu, " ").trim().toLowerCase();
  const pathOf = (name) => icons?.get(normalize(name));
  const labelOf = (name) => (name === PRIVATE ? "Private app" : name);
  const colorOf = (name) => String(indexes.get(name) ?? "other");
  const isRare = (name) => name !== PRIVATE && !indexes.has(name);
  const lettersOf = (name) => (name === PRIVATE ? "•" : (name.match(/[\p{L}\p{N}]/gu) ?? ["•"]));
  const firstOf = (name) => [...lettersOf(name)[0].toUpperCase()][0];
  const initialOf = (name) => signs.get(name) ?? firstOf(name);

  // Sets which apps are played, those that are longest in front first, and which others are open, so that
  // their colours differ, and their icons: as `IconIndex.own_path` does.
  function setNames(played, others) {
    const paths = played.filter(isText).map(pathOf);
    ambiguous = new Set(paths.filter((path, n) => paths.indexOf(path) !== n));
    const shown = [...new Set([...played, ...others].filter(isText))];
    indexes = colors.assign(...[played, others].map((names) => names.filter((name) => isText(name) && name !== PRIVATE)));
    const used = shown.map(firstOf);
    signs = new Map();
    for (const name of shown) {
      const first = firstOf(name);
      const pairs = [...lettersOf(name)].slice(1).map((letter) => first + letter.toLowerCase());
      const isAlone = used.filter((sign) => sign === first).length === 1;
      used.push(isAlone ? first : (pairs.find((pair) => !used.includes(pair)) ?? first));
      signs.set(name, used.at(-1));
    }
  }

  // Sets the manifest of icons; without one, letters are shown.
  function setIcons(manifest) {
    icons = new Map();
    for (const { app, aliases, id } of manifest.icons) {
      if (!/^[a-z0-9-]+$/u.test(id)) continue;
      for (const name of [app, ...aliases].map(normalize)) {
        if (name !== "system" && !icons.has(name)) icons.set(name, `api/icons/${id}.png`);
      }
    }
  }

  // Creates the icon of an app, which an element or text replaces where it cannot be loaded; without
  // an icon of its own returns that at once.
  function createIcon(name, className, createOther) {
    const path = pathOf(name);
    if (path === undefined || ambiguous.has(path)) return createOther();
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
    colorOf, createIcon, createKey, createSign, createTile, hasIcons: () => icons !== null, isRare, labelOf, setIcons, setNames,
  };
})();
