/** Returns the typed comma list with each name that can replace its last name: for `id,na`, one result is `id,name`. */
export function continueList(typed: string, names: readonly string[]): string[] {
  const before = typed.slice(0, typed.lastIndexOf(',') + 1)
  const typedNames = before.split(',')
  return names.filter((name) => !typedNames.includes(name)).map((name) => before + name)
}
