// @ts-check
// A tree to edit: values are dragged between groups, or moved with the same steps from the keyboard and from buttons.

import { button, fill, make, say, select } from "./dom.js";
import { counted, number } from "./number.js";
import { contains, dissolve, group, isLeaf, leaves, move, parentOf, walk } from "./tree.js";

/** @typedef {import("./types.d.ts").Tree} Tree */

/** So many children are drawn at once; the rest on request. */
const MOST = 150;

export class TreeEditor {
  /** @param {Tree} root @param {Map<string, number>} counts rows of each value, where known */
  constructor(root, counts) {
    this.root = root;
    this.counts = counts;
    /** @type {Tree} */
    this.at = root;
    /** @type {Set<Tree>} */
    this.selected = new Set();
    /** @type {Set<Tree>} */
    this.closed = new Set();
    /** @type {Set<Tree>} */
    this.unrolled = new Set();
    /** @type {Tree[]} */
    this.dragged = [];
    /** @type {string[]} */
    this.undone = [];
    if (leaves(root).length > 60)
      for (const { node, depth } of walk(root)) if (depth > 0 && !isLeaf(node)) this.closed.add(node);
    this.tools = make("div", { class: "tools", role: "toolbar", label: "Change the tree" });
    this.list = make("ul", { role: "tree", class: "tree", label: "Taxonomy", "aria-multiselectable": "true" });
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.element = make(
      "div",
      { class: "tree-editor" },
      this.tools,
      this.list,
      make("p", {
        class: "help",
        text: "Drag values onto a group. Keyboard: arrows move and open, Space selects, G groups the selection, F2 renames, Delete dissolves a group, Alt with arrows moves a value up, down, out of its group or into the one before it, Ctrl Z takes a step back.",
      }),
    );
    this.draw();
  }

  /** The nodes that a step acts on: the selected ones, or the one under the cursor. */
  chosen() {
    const all = this.selected.size
      ? [...walk(this.root)].map(({ node }) => node).filter((node) => this.selected.has(node))
      : [this.at];
    return all.filter((node) => node !== this.root);
  }

  /** Keeps the tree for a step back. */
  keep() {
    this.undone.push(JSON.stringify(this.root));
    if (this.undone.length > 50) this.undone.shift();
  }

  undo() {
    const before = this.undone.pop();
    if (before === undefined) return;
    const old = JSON.parse(before);
    this.root.children = old.children;
    this.at = this.root;
    this.selected.clear();
    this.draw(true);
    say("One step back.");
  }

  /** @param {boolean} [focus] */
  draw(focus = false) {
    const listed = this.visible();
    if (!listed.includes(this.at)) this.at = this.root;
    fill(this.list, this.item(this.root, 1));
    this.drawTools();
    if (focus) /** @type {HTMLElement | null} */ (this.list.querySelector("[tabindex='0']"))?.focus();
  }

  drawTools() {
    const nodes = this.chosen();
    const groups = [...walk(this.root)].filter(
      ({ node }) => !isLeaf(node) && !nodes.some((own) => contains(own, node)),
    );
    const isGroup = nodes.length === 1 && !isLeaf(nodes[0]);
    const targets = groups
      .slice(0, 300)
      .map(
        ({ node, depth }, at) =>
          /** @type {[string, string]} */ ([
            String(at),
            `${"\u2003".repeat(depth)}${node === this.root ? "* (the top)" : node.name}`,
          ]),
      );
    fill(
      this.tools,
      button(nodes.length > 1 ? `Group ${nodes.length} selected` : "New group", () => this.group(), {
        id: "tree-group",
        disabled: nodes.length === 0,
      }),
      button("Rename", () => this.rename(this.at), { id: "tree-rename", disabled: !isGroup }),
      button("Dissolve", () => this.dissolve(), {
        id: "tree-dissolve",
        disabled: !isGroup,
        title: "remove the group; what it holds goes up",
      }),
      select([["", "Move to…"], ...targets], "", (value) => value !== "" && this.moveTo(groups[Number(value)].node), {
        id: "tree-move",
        label: "Move to a group",
        disabled: nodes.length === 0,
      }),
      button("Undo", () => this.undo(), { id: "tree-undo", disabled: this.undone.length === 0 }),
      make("span", {
        class: "soft",
        text: this.selected.size ? `${counted(this.selected.size, "node")} selected` : "",
      }),
    );
  }

  /** The nodes that are drawn, in order. */
  visible() {
    /** @type {Tree[]} */
    const list = [];
    const add = (/** @type {Tree} */ node) => {
      list.push(node);
      if (!this.closed.has(node)) for (const child of this.shownChildren(node)) add(child);
    };
    add(this.root);
    return list;
  }

  /** @param {Tree} node */
  shownChildren(node) {
    const children = node.children ?? [];
    return this.unrolled.has(node) ? children : children.slice(0, MOST);
  }

  /** @param {Tree} node @param {number} level @returns {HTMLLIElement} */
  item(node, level) {
    const leaf = isLeaf(node) && node !== this.root;
    const open = !leaf && !this.closed.has(node);
    const rows = this.counts.get(node.name);
    const children = node.children ?? [];
    const row = make(
      "div",
      {
        class: `row${leaf ? " leaf" : ""}${this.selected.has(node) ? " selected" : ""}`,
        draggable: node === this.root ? null : "true",
      },
      leaf
        ? make("span", { class: "twist", "aria-hidden": "true" })
        : make("span", {
            class: "twist",
            "aria-hidden": "true",
            text: open ? "▾" : "▸",
            on: {
              click: (event) => {
                event.stopPropagation();
                this.toggle(node);
              },
            },
          }),
      make("span", { class: "name", text: node === this.root ? "* (everything)" : node.name || "(empty)" }),
      make("span", {
        class: "soft",
        text: leaf ? (rows === undefined ? "" : number(rows)) : counted(leaves(node).length, "value"),
      }),
    );
    row.addEventListener("click", (event) => {
      this.at = node;
      if (event.ctrlKey || event.metaKey || event.shiftKey) this.select(node);
      else this.selected = new Set(node === this.root ? [] : [node]);
      this.draw(true);
    });
    row.addEventListener("dblclick", () => !leaf && this.rename(node));
    this.dragging(row, node);
    const rest = children.length - this.shownChildren(node).length;
    return make(
      "li",
      {
        role: "treeitem",
        "aria-level": level,
        "aria-expanded": leaf ? null : String(open),
        "aria-selected": String(this.selected.has(node)),
        tabindex: node === this.at ? 0 : -1,
        label: `${node === this.root ? "everything" : node.name}${leaf ? "" : `, ${counted(leaves(node).length, "value")}`}`,
        "data-name": node.name,
      },
      row,
      open
        ? make(
            "ul",
            { role: "group" },
            ...this.shownChildren(node).map((child) => this.item(child, level + 1)),
            rest > 0
              ? make(
                  "li",
                  { role: "none" },
                  button(`and ${number(rest)} more`, () => this.unroll(node), { class: "quiet" }),
                )
              : null,
          )
        : null,
    );
  }

  /** @param {HTMLElement} row @param {Tree} node */
  dragging(row, node) {
    row.addEventListener("dragstart", (event) => {
      this.dragged = this.selected.has(node) ? this.chosen() : [node];
      event.dataTransfer?.setData("text/plain", "");
      event.stopPropagation();
    });
    row.addEventListener("dragover", (event) => {
      if (!this.dragged.length || this.dragged.some((own) => contains(own, node))) return;
      event.preventDefault();
      row.classList.add("over");
    });
    row.addEventListener("dragleave", () => row.classList.remove("over"));
    row.addEventListener("drop", (event) => {
      event.preventDefault();
      event.stopPropagation();
      row.classList.remove("over");
      const dragged = this.dragged;
      this.dragged = [];
      if (!dragged.length) return;
      this.selected = new Set(dragged);
      // Onto a group: into it. Onto a value: before it, in its group.
      if (!isLeaf(node) || node === this.root) return this.moveTo(node);
      const parent = parentOf(this.root, node);
      if (parent) this.moveTo(parent, parent.children?.indexOf(node));
    });
  }

  /** @param {Tree} node */
  select(node) {
    if (node === this.root) return;
    if (!this.selected.delete(node)) this.selected.add(node);
  }

  /** @param {Tree} node */
  toggle(node) {
    if (!this.closed.delete(node)) this.closed.add(node);
    this.draw(true);
  }

  /** Shows all children of a node. @param {Tree} node */
  unroll(node) {
    this.unrolled.add(node);
    this.draw();
  }

  /** @param {Tree} to @param {number} [at] */
  moveTo(to, at) {
    const nodes = this.chosen().filter((node) => !contains(node, to));
    if (!nodes.length) return;
    this.keep();
    for (const [place, node] of nodes.entries()) move(this.root, node, to, at === undefined ? undefined : at + place);
    this.closed.delete(to);
    this.at = nodes[0];
    this.selected = new Set(nodes);
    this.draw(true);
    say(
      `${nodes.length === 1 ? `“${nodes[0].name}” is` : `${nodes.length} nodes are`} now under ${to === this.root ? "the top" : `“${to.name}”`}.`,
    );
  }

  group() {
    const nodes = this.chosen();
    if (!nodes.length) return;
    this.keep();
    const names = new Set([...walk(this.root)].map(({ node }) => node.name));
    let number = 1;
    while (names.has(`Group ${number}`)) number++;
    const made = group(this.root, nodes, `Group ${number}`);
    this.at = made;
    this.selected = new Set([made]);
    this.draw();
    this.rename(made);
  }

  dissolve() {
    const node = this.at;
    if (isLeaf(node) || node === this.root) return;
    this.keep();
    const parent = parentOf(this.root, node) ?? this.root;
    dissolve(this.root, node);
    this.at = parent;
    this.selected.clear();
    this.draw(true);
    say(`“${node.name}” is dissolved.`);
  }

  /** A field in place of the name. @param {Tree} node */
  rename(node) {
    if (isLeaf(node) || node === this.root) return;
    this.at = node;
    const name = this.list.querySelector("[tabindex='0'] > .row > .name");
    if (!name) return;
    const input = make("input", { type: "text", value: node.name, label: "Name of the group", class: "rename" });
    let done = false;
    const end = (/** @type {boolean} */ keep) => {
      if (done) return;
      done = true;
      const text = input.value.trim();
      if (keep && text && text !== node.name) {
        this.keep();
        node.name = text;
      }
      this.draw(true);
    };
    input.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key !== "Enter" && event.key !== "Escape") return;
      event.preventDefault();
      end(event.key === "Enter");
    });
    input.addEventListener("blur", () => end(true));
    name.replaceWith(input);
    input.select();
  }

  /** One step by keyboard: up, down, out, in. @param {string} key */
  shift(key) {
    const node = this.at;
    const parent = parentOf(this.root, node);
    if (!parent?.children) return;
    const at = parent.children.indexOf(node);
    this.selected = new Set([node]);
    if (key === "ArrowUp" && at > 0) this.moveTo(parent, at - 1);
    else if (key === "ArrowDown" && at + 1 < parent.children.length) this.moveTo(parent, at + 2);
    else if (key === "ArrowLeft" && parent !== this.root) {
      const above = parentOf(this.root, parent);
      if (above) this.moveTo(above, (above.children?.indexOf(parent) ?? 0) + 1);
    } else if (key === "ArrowRight") {
      const before =
        parent.children
          .slice(0, at)
          .reverse()
          .find((one) => !isLeaf(one)) ?? parent.children.slice(at + 1).find((one) => !isLeaf(one));
      if (before) this.moveTo(before);
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const list = this.visible();
    const at = list.indexOf(this.at);
    const go = (/** @type {Tree | undefined} */ node) => {
      if (!node) return;
      this.at = node;
      this.draw(true);
    };
    const { key } = event;
    if (event.altKey && key.startsWith("Arrow")) this.shift(key);
    else if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === "z") this.undo();
    else if (key === "ArrowDown") go(list[at + 1]);
    else if (key === "ArrowUp") go(list[at - 1]);
    else if (key === "Home") go(list[0]);
    else if (key === "End") go(list[list.length - 1]);
    else if (key === "ArrowRight")
      this.closed.has(this.at)
        ? this.toggle(this.at)
        : go(list[at + 1] && contains(this.at, list[at + 1]) ? list[at + 1] : undefined);
    else if (key === "ArrowLeft")
      !isLeaf(this.at) && !this.closed.has(this.at) && this.at !== this.root
        ? this.toggle(this.at)
        : go(parentOf(this.root, this.at) ?? undefined);
    else if (key === " ") {
      this.select(this.at);
      this.draw(true);
    } else if (key === "g" || key === "G") this.group();
    else if (key === "F2" || key === "Enter") this.rename(this.at);
    else if (key === "Delete") this.dissolve();
    else return;
    event.preventDefault();
  }
}
