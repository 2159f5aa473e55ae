// The number of an app's colour, which depends on nothing but its name.  The same function as
// `devicestatus.rendering.palette.colour_number`.
const colours = (() => {
  const COUNT = 4;

  // FNV-1a of the name's UTF-8, 32 bits, folded to 16, modulo the number of colours.
  function numberOf(name) {
    let hash = 0x811c9dc5;
    for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, 0x01000193);
    return ((hash ^ (hash >>> 16)) & 0xffff) % COUNT;
  }

  return { numberOf };
})();

if (typeof module === "object") module.exports = colours;
