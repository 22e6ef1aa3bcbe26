/** A text in a few pieces, as a model says it. Nothing in none. */
export function cut(text: string | undefined): string[] {
  if (!text) return []
  const letters = [...text]
  const third = Math.ceil(letters.length / 3)
  return [letters.slice(0, third), letters.slice(third, 2 * third), letters.slice(2 * third)]
    .map((piece) => piece.join(''))
    .filter((piece) => piece !== '')
}
