#!/bin/sh
# renders as asked; more cases with sections are added to cases.json
set -eu
cat > src/tree.js <<'EOF'
import { TemplateError } from './errors.js';
import { scan } from './scan.js';

/** Returns the pieces of a template, those of a section in its `inside`. */
export function parse(template) {
  const root = { inside: [] };
  const open = [root];
  for (const piece of scan(template)) {
    const section = open.at(-1);
    if (piece.type === 'close') {
      if (section.name !== piece.name) throw new TemplateError(piece.line, `${piece.name} is not open here`);
      open.pop();
    } else {
      const node = { ...piece, inside: [] };
      section.inside.push(node);
      if (piece.type === 'section' || piece.type === 'inverse') open.push(node);
    }
  }
  if (open.length > 1) throw new TemplateError(open.at(-1).line, `${open.at(-1).name} is not closed`);
  return root.inside;
}
EOF
cat > src/render.js <<'EOF'
import { parse } from './tree.js';

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escape = (text) => text.replace(/[&<>"']/g, (char) => ENTITIES[char]);

function lookup(name, around) {
  if (name === '.') return around[0];
  const [first, ...steps] = name.split('.');
  const holder = around.find((item) => item !== null && typeof item === 'object' && Object.hasOwn(item, first));
  return steps.reduce((value, step) => value?.[step], holder?.[first]);
}

function itemsOf(value) {
  if (Array.isArray(value)) return value;
  return value ? [value] : [];
}

function renderAll(nodes, around) {
  return nodes.map((node) => renderOne(node, around)).join('');
}

function renderOne(node, around) {
  if (node.type === 'text') return node.text;
  const value = lookup(node.name, around);
  if (node.type === 'section') return itemsOf(value).map((item) => renderAll(node.inside, [item, ...around])).join('');
  if (node.type === 'inverse') return itemsOf(value).length ? '' : renderAll(node.inside, around);
  const text = String(value ?? '');
  return node.type === 'raw' ? text : escape(text);
}

/** Returns the template with the values of the data in the places of their names. */
export function render(template, data) {
  return renderAll(parse(template), [data]);
}
EOF
sed -i '/"name": "an object"/i\
  { "name": "zero is false", "template": "{{#n}}x{{/n}}{{^n}}no {{n}}{{/n}}", "data": { "n": 0 }, "want": "no 0" },\
  { "name": "a list by steps", "template": "{{#a.list}}{{.}}{{b}}{{/a.list}}", "data": { "a": { "list": ["x", "y"] }, "b": "\\"" }, "want": "x&quot;y&quot;" },\
  { "name": "raw items", "template": "{{#list}}{{{.}}}{{/list}}", "data": { "list": ["<", "&"] }, "want": "<&" },' test/cases.json
