// Chooses the colours of apps, as `devicestatus.lane_values.app_colors` does.
const colors = (() => {
  const COUNT = 12;

  // FNV-1a of the name's UTF-8, 32 bits, without the lowest byte, modulo the number of colours.
  function indexOf(name) {
    let hash = 0x811c9dc5;
    for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, 0x01000193);
    return (hash >>> 8) % COUNT;
  }

  // Returns the index of each name, of those that were longest in front and then of others: that of the
  // name, or the next one that no name before has in their order; none where all are taken.
  function assign(played, others) {
    const [found, free] = [new Map(), new Set(Array(COUNT).keys())];
    for (const name of new Set([...played.slice(0, COUNT).sort(), ...others])) {
      let index = indexOf(name);
      while (free.size > 0 && !free.has(index)) index = (index + 1) % COUNT;
      if (free.delete(index)) found.set(name, index);
    }
    return found;
  }

  return { assign };
})();
