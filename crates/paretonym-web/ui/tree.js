// @ts-check
// A taxonomy as a tree: reading it from and writing it into a study, and the steps of the editor. Nodes are changed in
// place; the root is the node that stands for everything.

/** @typedef {import("./types.d.ts").Tree} Tree */
/** @typedef {import("./nested.d.ts").Nested} Nested */

/** @param {Tree} node */
export const isLeaf = (node) => !node.children || node.children.length === 0;

/** Every node with its parent, parents first. @param {Tree} root @returns {Generator<{ node: Tree, parent: Tree | null, depth: number }>} */
export function* walk(root) {
  /** @type {{ node: Tree, parent: Tree | null, depth: number }[]} */
  const stack = [{ node: root, parent: null, depth: 0 }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    yield next;
    const { node, depth } = next;
    for (const child of [...(node.children ?? [])].reverse())
      stack.push({ node: child, parent: node, depth: depth + 1 });
  }
}

/** @param {Tree} root */
export const leaves = (root) => [...walk(root)].filter(({ node }) => isLeaf(node)).map(({ node }) => node);

/** @param {Tree} root */
export const height = (root) => [...walk(root)].reduce((most, { depth }) => Math.max(most, depth), 0);

/** @param {Tree} root @param {Tree} node */
export const parentOf = (root, node) => [...walk(root)].find((one) => one.node === node)?.parent ?? null;

/** Whether a node lies in the tree of another. @param {Tree} above @param {Tree} node */
export const contains = (above, node) => [...walk(above)].some((one) => one.node === node);

/**
 * Moves a node to another, at a place among its children; a leaf that is moved onto takes the place of a sibling.
 * False where that makes no tree.
 * @param {Tree} root @param {Tree} node @param {Tree} to @param {number} [at]
 */
export function move(root, node, to, at) {
  const from = parentOf(root, node);
  if (!from?.children || contains(node, to) || (isLeaf(to) && to !== root && !to.children)) return false;
  const before = from.children.indexOf(node);
  from.children.splice(before, 1);
  to.children ??= [];
  const place = at === undefined ? to.children.length : at > before && to === from ? at - 1 : at;
  to.children.splice(place, 0, node);
  prune(root);
  return true;
}

/** A new node over some nodes that share a parent or not: it takes the place of the first. @param {Tree} root @param {Tree[]} nodes @param {string} name */
export function group(root, nodes, name) {
  const parent = parentOf(root, nodes[0]) ?? root;
  const at = Math.max(parent.children?.indexOf(nodes[0]) ?? 0, 0);
  /** @type {Tree} */
  const made = { name, children: [] };
  parent.children ??= [];
  parent.children.splice(at, 0, made);
  for (const node of nodes) move(root, node, made);
  return made;
}

/** Removes a node that is not a value; what it held goes to its parent. @param {Tree} root @param {Tree} node */
export function dissolve(root, node) {
  const parent = parentOf(root, node);
  if (!parent?.children || !node.children) return false;
  parent.children.splice(parent.children.indexOf(node), 1, ...node.children);
  return true;
}

/** Nodes that lost all their values go. @param {Tree} root */
export function prune(root) {
  for (const { node } of [...walk(root)].reverse()) {
    if (node.children) node.children = node.children.filter((child) => !child.children || child.children.length > 0);
  }
}

/** Names that two nodes of one parent share, and values given twice. @param {Tree} root @returns {string | null} what is wrong */
export function problem(root) {
  const seen = new Set();
  for (const { node } of walk(root)) {
    if (node.name.trim() === "" && node !== root) return "A group has no name.";
    if (isLeaf(node)) {
      if (seen.has(node.name)) return `“${node.name}” is there twice.`;
      seen.add(node.name);
    } else {
      const names = (node.children ?? []).filter((child) => !isLeaf(child)).map((child) => child.name);
      const twice = names.find((name, at) => names.indexOf(name) !== at);
      if (twice !== undefined) return `Two groups are called “${twice}”.`;
    }
  }
  return null;
}

/** As a study writes it. @param {Tree} root @returns {Nested} */
export const toNested = (root) =>
  (root.children ?? []).map((child) => (isLeaf(child) ? child.name : { [child.name]: toNested(child) }));

/** As a study wrote it; a list without a name is shown as its values. @param {Nested} nested @returns {Tree} */
export function fromNested(nested) {
  /** @returns {Tree[]} */
  const below = (/** @type {Nested} */ value) => {
    if (Array.isArray(value))
      return value.flatMap((item) =>
        Array.isArray(item)
          ? [{ name: `{${item.flat(9).map(String).join(", ")}}`, children: below(item) }]
          : below(item),
      );
    if (value !== null && typeof value === "object") {
      return Object.entries(value).map(([name, inside]) => {
        const children = below(inside);
        return children.length ? { name, children } : { name };
      });
    }
    return [{ name: String(value) }];
  };
  return { name: "*", children: below(nested) };
}

/** A copy to edit. @param {Tree} root @returns {Tree} */
export const copy = (root) => structuredClone(root);
