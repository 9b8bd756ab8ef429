import { scan } from './scan.js';

/** Returns the template with the values of the data in the places of their names. */
export function render(template, data) {
  let result = '';
  for (const piece of scan(template)) {
    if (piece.type === 'text') result += piece.text;
    if (piece.type === 'value' || piece.type === 'raw') result += data[piece.name];
  }
  return result;
}
