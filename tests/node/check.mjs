// Reads drawings from standard input, [{"kind": "mermaid" or "dot", "text": "..."}, ...], with the parsers that readers
// use, and prints for each what they made of it: {"type", "nodes", "edges", "groups"}, or {"error"}.
import DOMPurify from "dompurify";
import { instance } from "@viz-js/viz";

// Mermaid parses without a browser, but for the cleaning of HTML in labels; here they are wanted as they are read.
DOMPurify.addHook = () => {};
DOMPurify.sanitize = (text) => text;
const { default: mermaid } = await import("mermaid");
await mermaid.parse("flowchart"); // the first parse makes the kinds of diagrams known
const viz = await instance();

const NAMED = { amp: "&", lt: "<", gt: ">", quot: '"' };
const shown = (text) =>
  (text ?? "")
    .replace(/ﬂ°°(\d+)¶ß/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/ﬂ°(\w+)¶ß/g, (whole, name) => NAMED[name] ?? whole);

const flowchart = (db) => ({
  nodes: [...db.getVertices().values()].map(({ id, type, text }) => ({ id, shape: type ?? null, label: shown(text) })),
  edges: db.getEdges().map(({ start, end, stroke, text }) => ({
    source: start,
    target: end,
    style: stroke,
    label: shown(text),
  })),
  groups: db.getSubGraphs().map(({ title, nodes }) => ({ label: shown(title), nodes: [...nodes].sort() })),
});
const sequence = (db) => ({
  nodes: db.getActorKeys().map((id) => ({ id, label: shown(db.getActor(id).description) })),
  edges: db
    .getMessages()
    .filter(({ from, to }) => from && to)
    .map(({ from, to, message }) => ({ source: from, target: to, label: shown(message) })),
});
const READERS = { "flowchart-v2": flowchart, sequence };

async function readMermaid(text) {
  const { type, db } = await mermaid.mermaidAPI.getDiagramFromText(text);
  return { type, ...READERS[type]?.(db) };
}

// A label as it is drawn, a line each, by the name of what it belongs to; only the SVG tells it as a reader sees it.
function drawn(svg) {
  const plain = (text) =>
    text
      .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
      .replace(/&(lt|gt|quot|amp);/g, (_, name) => NAMED[name])
      .replaceAll("\u00a0", " ");
  const lines = (part) => [...part.matchAll(/<text[^>]*>(.*?)<\/text>/g)].map(([, text]) => plain(text)).join("\n");
  const labels = new Map();
  for (const [, name, part] of svg.matchAll(/<g id="[^"]*" class="\w+">\n<title>(.*?)<\/title>(.*?)<\/g>/gs))
    labels.set(plain(name), [...(labels.get(plain(name)) ?? []), lines(part)]);
  return (name) => labels.get(name)?.shift() ?? "";
}

function readDot(text) {
  const { output, errors } = viz.renderFormats(text, ["json", "svg"]);
  const faults = errors.filter(({ message }) => !message.includes("width of non-ASCII character"));
  if (faults.length) throw new Error(faults.map(({ message }) => message).join("; "));
  const graph = JSON.parse(output.json);
  const label = drawn(output.svg);
  const names = new Map((graph.objects ?? []).map(({ _gvid, name }) => [_gvid, name]));
  const [groups, nodes] = [true, false].map((wanted) => (graph.objects ?? []).filter((item) => !!item.nodes === wanted));
  const styled = ({ shape, peripheries, style }) => [shape, peripheries, style].filter(Boolean).join(" ");
  const edge = (item) => ({ source: names.get(item.tail), target: names.get(item.head), style: styled(item) });
  return {
    type: graph.directed ? "digraph" : "graph",
    nodes: nodes.map((item) => ({ id: item.name, shape: styled(item), label: label(item.name) })),
    edges: (graph.edges ?? []).map(edge).map((item) => ({ ...item, label: label(`${item.source}->${item.target}`) })),
    groups: groups.map(({ name, nodes: inner }) => ({
      label: label(name),
      nodes: inner.map((id) => names.get(id)).sort(),
    })),
  };
}

const KINDS = { mermaid: readMermaid, dot: readDot };
let input = "";
for await (const part of process.stdin.setEncoding("utf8")) input += part;
const read = [];
for (const { kind, text } of JSON.parse(input)) {
  try {
    read.push(await KINDS[kind](text));
  } catch (error) {
    read.push({ error: error.message });
  }
}
process.stdout.write(JSON.stringify(read));
