/** Finds text in a Svelte component that a person would see or hear, and the catalogue does not have. */
import { parse } from 'svelte/compiler';

/** Attributes whose text is seen or heard. */
const SAID = new Set(['title', 'alt', 'placeholder', 'label', 'aria-label', 'aria-valuetext']);
/** Units and marks of the game, which are the same in every language. */
const WORDLESS = /^(BB|D)$/;

interface Node {
  type: string;
  name?: string;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

export function literals(source: string): string[] {
  const tree = parse(source, { modern: true });
  const script = tree.instance ? sentencesIn(tree.instance as unknown as Node) : [];
  return [...script, ...markup(tree.fragment as unknown as Node)];
}

const children = (node: Node): Node[] =>
  Object.entries(node)
    .filter(([key]) => key !== 'metadata')
    .flatMap(([, value]) => (Array.isArray(value) ? (value as unknown[]) : [value]))
    .filter(isNode);

const words = (text: unknown): string[] => {
  const found = typeof text === 'string' ? text.trim() : '';
  const bare = found.split(/\s+/).filter((word) => /\p{L}/u.test(word) && !WORDLESS.test(word));
  return bare.length > 0 ? [found] : [];
};

/** Text in a script: what has more than one word, apart from errors and imports. */
function sentencesIn(node: Node): string[] {
  if (node.type === 'ImportDeclaration' || node.type === 'NewExpression') return [];
  if (node.type === 'Literal') {
    const text = node['value'];
    return typeof text === 'string' && /\p{L}{2,} \p{L}{2,}/u.test(text) ? [text] : [];
  }
  return children(node).flatMap(sentencesIn);
}

/** Text between tags, text of attributes that are said, and text that expressions choose there. */
function markup(node: Node): string[] {
  if (node.type === 'Text') return words(node['data']);
  if (node.type === 'ExpressionTag') return chosen(node['expression'] as Node);
  if (node.type === 'Attribute') {
    if (!SAID.has(node.name ?? '')) return [];
    const { value } = node;
    return (Array.isArray(value) ? (value as unknown[]) : [value]).filter(isNode).flatMap(markup);
  }
  if (node.type === 'RegularElement' && node.name === 'kbd') return [];
  return children(node).flatMap(markup);
}

/** What an expression may come to: its own literals, not the names it asks others by. */
function chosen(node: Node): string[] {
  switch (node.type) {
    case 'Literal':
      return words(node['value']);
    case 'TemplateLiteral':
      return (node['quasis'] as Node[]).flatMap((part) =>
        words((part['value'] as { cooked: string }).cooked),
      );
    case 'ConditionalExpression':
      return [...chosen(node['consequent'] as Node), ...chosen(node['alternate'] as Node)];
    case 'LogicalExpression':
    case 'BinaryExpression':
      return [...chosen(node['left'] as Node), ...chosen(node['right'] as Node)];
    default:
      return [];
  }
}
