/** Finds words of the catalogue that are put away, where they would stay in one language. */
import { parse } from 'svelte/compiler';

interface Node {
  type: string;
  [key: string]: unknown;
}

const CATALOGUES = new Set(['m', 'p', 'r']);
const LATER = new Set(['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration']);

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const children = (node: Node): Node[] =>
  Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value]))
    .filter(isNode);

/** Whether an expression says something now, not only when it is asked again. */
function says(node: Node): boolean {
  if (LATER.has(node.type)) return false;
  const { object } = node as { object?: Node };
  const named = object?.type === 'Identifier' && CATALOGUES.has(object['name'] as string);
  return (node.type === 'MemberExpression' && named) || children(node).some(says);
}

const isState = ({ type, callee }: Node): boolean => {
  const called = callee as Node | undefined;
  const name = called?.type === 'MemberExpression' ? (called['object'] as Node) : called;
  return type === 'CallExpression' && name?.['name'] === '$state';
};

/** What is assigned, or what a state begins with: the source of each. */
export function assigned(file: string, source: string): string[] {
  const whole = file.endsWith('.svelte') ? source : `<script lang="ts">${source}</script>`;
  const found = (node: Node): string[] => {
    const right = node['right'] as Node;
    const kept =
      (node.type === 'AssignmentExpression' && says(right)) || (isState(node) && says(node));
    const text = whole.slice(node['start'] as number, node['end'] as number);
    return [...(kept ? [text] : []), ...children(node).flatMap(found)];
  };
  const tree = parse(whole, { modern: true });
  const parts = [tree.instance, tree.module, tree.fragment] as unknown[];
  return parts.filter(isNode).flatMap(found);
}
