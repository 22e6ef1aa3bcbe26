import type { TFunction } from 'i18next'

/** The server's default descriptions of groups, which the server stores and returns in Chinese. */
const BUILT_IN: ReadonlyMap<string, 'standard' | 'vip' | 'own'> = new Map([
  ['默认分组', 'standard'],
  ['vip分组', 'vip'],
  ['用户分组', 'own'],
])

/** Returns a group's description as the operator wrote it. Translates the server's default descriptions. */
export function groupText(t: TFunction, description: string): string {
  const name = BUILT_IN.get(description)
  return name === undefined ? description : t(`group.${name}`)
}
