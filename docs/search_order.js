// The order of search results: guides first, then reference, contracts, and names of Python.
const GAIN = { tutorials: 9, "how-to": 8, explanation: 8, reference: 4, contract: -8 };

var Scorer = {
  score: ([page, , , , score]) => score + (page.startsWith("reference/api/") ? 0 : GAIN[page.split("/")[0]] ?? 0),
  objNameMatch: 12,
  objPartialMatch: 1,
  objPrio: { 0: 0, 1: 0, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
