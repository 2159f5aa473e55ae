// Chooses the colours of apps, as `devicestatus.lane_values.app_colors` does.
const colors = (() => {
  const COUNT = 12;

  // FNV-1a of the name's UTF-8, 32 bits, without the lowest byte, modulo the number of colours.
  function indexOf(name) {
    let hash = 0x811c9dc5;
    for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, 0x01000193);
    return (hash >>> 8) % COUNT;
  }

  // Returns the index of each name, given in the order of their first appearance: that of the name, or
  // the next one that no name before has; where all are taken, all are free again.
  function assign(names) {
    const [found, taken] = [new Map(), new Set()];
    for (const name of new Set(names)) {
      if (taken.size === COUNT) taken.clear();
      let index = indexOf(name);
      while (taken.has(index)) index = (index + 1) % COUNT;
      taken.add(index);
      found.set(name, index);
    }
    return found;
  }

  return { assign };
})();
