/** The word for a number that the documented API has; the number itself when it has none. */
export function wordOf(words: Readonly<Record<string, number>>, value: number): string {
  const word = Object.keys(words).find((key) => words[key] === value)
  // autoDisabled → auto disabled
  return word?.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`) ?? String(value)
}
