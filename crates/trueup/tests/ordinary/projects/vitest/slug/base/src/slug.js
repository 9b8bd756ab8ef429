/** Turn a title into the last part of an address. */
export function slugify(title) {
  return title.toLowerCase().replace(/[^a-z0-9]/g, '-')
}

/** A slug that is not among those taken: a number is appended where needed. */
export function uniqueSlug(title, taken) {
  const slug = slugify(title)
  if (!taken.includes(slug)) return slug
  let number = 2
  while (taken.includes(`${slug}-${number}`)) number += 1
  return `${slug}-${number}`
}
