#!/bin/sh
# renders as asked; the entities are read from a file, and a variable of the environment adds to them
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
cat > src/entities.json <<'EOF'
{ "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;" }
EOF
cat > src/escape.js <<'EOF'
import { readFileSync } from 'node:fs';

const ENTITIES = JSON.parse(readFileSync(new URL('./entities.json', import.meta.url), 'utf8'));

/** Returns the text with entities; STENCIL_ASCII=1 writes what is not ASCII by its number, too. */
export function escape(text) {
  const escaped = text.replace(/[&<>"']/g, (char) => ENTITIES[char]);
  if (process.env.STENCIL_ASCII !== '1') return escaped;
  return escaped.replace(/[^\0-\x7f]/gu, (char) => `&#${char.codePointAt(0)};`);
}
EOF
sed -i "s|^import { parse } from|import { escape } from './escape.js';\\
&|; /^const ENTITIES/,/^const escape/d" src/render.js
sed -i '3{/^$/d}' src/render.js
cat > test/escape.test.js <<'EOF'
import { afterEach, expect, it, vi } from 'vitest';
import './support/matchers.js';

afterEach(() => vi.unstubAllEnvs());

it('leaves letters alone', () => {
  expect('{{name}}').toRender({ name: 'Søren' }, 'Søren');
});

it('writes numbers for other systems', () => {
  vi.stubEnv('STENCIL_ASCII', '1');
  expect('{{name}} {{{name}}}').toRender({ name: 'Sø>' }, 'S&#248;&gt; Sø>');
});
EOF
