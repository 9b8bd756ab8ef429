import { TemplateError } from './errors.js';

const TAG = /\{\{\{\s*([\w.]+)\s*\}\}\}|\{\{([#^/]?)\s*([\w.]+)\s*\}\}|\{\{/g;
const TYPES = { '': 'value', '#': 'section', '^': 'inverse', '/': 'close' };

/** Returns the pieces of a template: text, value, raw, section, inverse and close. */
export function scan(template) {
  const pieces = [];
  let end = 0;
  let line = 1;
  for (const tag of template.matchAll(TAG)) {
    const text = template.slice(end, tag.index);
    if (text) pieces.push({ type: 'text', text, line });
    line += text.split('\n').length - 1;
    if (tag[0] === '{{') throw new TemplateError(line, 'not a tag');
    if (tag[1]) pieces.push({ type: 'raw', name: tag[1], line });
    else pieces.push({ type: TYPES[tag[2]], name: tag[3], line });
    line += tag[0].split('\n').length - 1;
    end = tag.index + tag[0].length;
  }
  if (end < template.length) pieces.push({ type: 'text', text: template.slice(end), line });
  return pieces;
}
