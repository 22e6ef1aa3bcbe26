import type { TFunction } from 'i18next'
import { expect, test } from 'vitest'
import { groupText } from '../../../console/components/group-text.ts'
import { OPTIONS } from '../../../core/options/registry.ts'

const t = ((key: string) => key) as unknown as TFunction

test("each built-in description of a group has a text in the reader's language", () => {
  const builtIn = Object.values<string>(JSON.parse(OPTIONS.UserUsableGroups.default))
  expect(builtIn.map((description) => groupText(t, description))).toEqual(['group.standard', 'group.vip'])
})

test("an operator's description stays as it is", () => {
  expect(groupText(t, '合作伙伴')).toBe('合作伙伴')
})
