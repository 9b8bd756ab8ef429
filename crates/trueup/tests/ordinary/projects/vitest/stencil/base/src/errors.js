/** A template that cannot be rendered; `line` is the line of the tag, from 1. */
export class TemplateError extends Error {
  constructor(line, reason) {
    super(`line ${line}: ${reason}`);
    this.name = 'TemplateError';
    this.line = line;
  }
}
