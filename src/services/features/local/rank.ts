/** An undirected weighted graph: for each node its neighbours and the weights of the edges to them. */
type Graph = readonly ReadonlyMap<number, number>[];

const damping = 0.85;
const rounds = 30;
const closeEnough = 1e-4;

/**
 * PageRank on a weighted undirected graph, as TextRank uses it (Mihalcea and Tarau 2004). The ranks have a mean of
 * about 1; a node without edges has `1 - damping`. The time is bounded by 30 times the number of edges.
 */
export function rank(graph: Graph): Float64Array {
  const strength = graph.map((edges) => {
    let sum = 0;
    for (const weight of edges.values()) sum += weight;
    return sum;
  });
  let ranks = new Float64Array(graph.length).fill(1);
  for (let round = 0; round < rounds; round += 1) {
    const next = new Float64Array(graph.length);
    let change = 0;
    graph.forEach((edges, node) => {
      let sum = 0;
      for (const [other, weight] of edges) sum += ((ranks[other] ?? 0) * weight) / (strength[other] || 1);
      next[node] = 1 - damping + damping * sum;
      change = Math.max(change, Math.abs((next[node] ?? 0) - (ranks[node] ?? 0)));
    });
    ranks = next;
    if (change < closeEnough) break;
  }
  return ranks;
}
