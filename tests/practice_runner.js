// Returns what the scripts of the practice page compute of a file, its bytes in base64.
function results({ body }) {
  let snapshot;
  try {
    snapshot = reading.parse(Buffer.from(body, "base64"));
  } catch (error) {
    if (!(error instanceof reading.InvalidFile)) throw error;
    return { invalid: error.message };
  }
  const { problems, generatedAt } = snapshot;
  const order = (sort) => listing.ordered(problems, sort).map((each) => problems.indexOf(each));
  const merged = listing.merge(problems);
  return {
    generatedAt,
    orders: { newest: order("newest"), oldest: order("oldest") },
    platforms: listing.ranked(merged, "platforms"),
    sites: listing.ranked(merged, "sites"),
    languages: listing.ranked(merged, "languages"),
    solved: listing.merge(problems, snapshot.active).map(({ solved }) => solved),
    files: merged.map(({ files }) => files.map((each) => problems.indexOf(each))),
  };
}
