// Computes the index of an app's colour, which depends only on its name.  The same function as
// `devicestatus.lane_values.color_index`.
const colors = (() => {
  const COUNT = 12; // APP_COLORS

  // FNV-1a of the name's UTF-8, 32 bits, without the lowest byte, modulo the number of colours.
  function indexOf(name) {
    let hash = 0x811c9dc5;
    for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, 0x01000193);
    return (hash >>> 8) % COUNT;
  }

  return { indexOf };
})();

if (typeof module === "object") module.exports = colors;
