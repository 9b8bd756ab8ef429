/** What the user wrote cannot be read. */
export class UsageError extends Error {}

function convert(name, kind, text) {
  if (kind !== 'number') return text
  const number = Number(text)
  if (text.trim() === '' || Number.isNaN(number)) throw new UsageError(`--${name} needs a number`)
  return number
}

/** Read a command line; `kinds` says for each option what it takes. */
export function parseArgs(argv, kinds) {
  const options = {}
  const rest = []
  for (let i = 0; i < argv.length; i += 1) {
    const word = argv[i]
    if (!word.startsWith('--')) {
      rest.push(word)
      continue
    }
    const name = word.slice(2)
    const kind = kinds[name]
    if (!kind) throw new UsageError(`unknown option ${word}`)
    if (kind === 'flag') {
      options[name] = true
      continue
    }
    i += 1
    if (i >= argv.length) throw new UsageError(`${word} needs a value`)
    options[name] = convert(name, kind, argv[i])
  }
  return { options, rest }
}
