import i18next from 'i18next'
import { expect, test } from 'vitest'
import { roleBadge } from '../../../console/components/role-tag.tsx'
import * as zh from '../../../console/locales/zh.ts'

test.each([
  [1, '普通用户'],
  [10, '管理员'],
  [100, '超级管理员'],
  [7, '未知身份'],
])('label of role %i', async (role, text) => {
  const instance = i18next.createInstance()
  await instance.init({ lng: 'zh', resources: { zh: { translation: zh } } })
  expect(roleBadge(instance.t, role).text).toBe(text)
})
