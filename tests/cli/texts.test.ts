import { describe, expect, test } from 'vitest'
import { labelsOf } from '../../cli/input/enum-labels.ts'
import * as en from '../../cli/texts/en.ts'
import * as zh from '../../cli/texts/zh.ts'
import { ENGLISH, loadTexts } from '../../cli/texts.ts'
import { ROLE, USER_STATUS } from '../../core/actor.ts'
import { CHANNEL_STATUS } from '../../core/channels/channel.ts'
import { MULTI_KEY_MODES } from '../../core/channels/settings/settings.ts'
import { SETTINGS } from '../../core/config.ts'
import { LIMIT_ACTIONS, LIMIT_MEASURES, LIMIT_PERIODS, LIMIT_SUBJECTS } from '../../core/limits/limit.ts'
import { LOG_TYPE } from '../../core/logs/log.ts'
import { REDEMPTION_STATUS } from '../../core/redemption/redemption.ts'
import { TEAM_ROLES } from '../../core/teams/team.ts'
import { TOKEN_STATUS } from '../../core/tokens/token.ts'
import { VERDICTS } from '../../core/wallet/schema.ts'
import { checkNames, columnTitles, tables, usedIds, wordsInColumns, wordsInErrors } from './displayed-texts.ts'

type Area = Readonly<Record<string, string>>
const textsOf = (areas: Readonly<Record<string, Area>>) =>
  new Map(
    Object.entries(areas).flatMap(([area, texts]) =>
      Object.entries(texts).map(([key, text]) => [`${area}.${key}`, text]),
    ),
  )

/** English labels and titles that equal their name are not stored. */
const english = textsOf({
  ...en,
  label: Object.fromEntries(Object.keys(zh.label).map((value) => [value, ENGLISH.label(value)])),
  column: Object.fromEntries(Object.keys(zh.column).map((name) => [name, ENGLISH.title(name)])),
})
const chinese = textsOf(zh)
/** The forms for one and for others have one id. */
const idOf = (key: string) => key.replace(/_(one|other)$/, '')
const ids = new Set([...english.keys()].map(idOf))
const valuesIn = (text: string) =>
  [...new Set(Array.from(text.matchAll(/\{\{(\w+)\}\}/g), ([, name]) => name ?? ''))].sort()
const valuesOf = (id: string) => valuesIn(english.get(id) ?? english.get(`${id}_other`) ?? '')

const vocabularies = [ROLE, USER_STATUS, CHANNEL_STATUS, LOG_TYPE, REDEMPTION_STATUS, TOKEN_STATUS]
/** Values of the API that tables show. */
const values = [
  ...vocabularies.flatMap(labelsOf),
  ...MULTI_KEY_MODES,
  ...LIMIT_SUBJECTS,
  ...TEAM_ROLES,
  ...LIMIT_MEASURES,
  ...LIMIT_PERIODS,
  ...LIMIT_ACTIONS,
  ...VERDICTS,
  ...['flag', 'environment', 'file', 'default', 'profile'],
  ...['open', 'half-open', 'opened', 'closed', 'disabled', 'enabled', 'key-disabled', 'key-enabled', 'untested'],
  ...['option', 'library', 'none', 'new', 'served', 'gone', 'failed', 'delivered', 'active', 'revoked'],
  ...[
    'pending',
    'success',
    'answers',
    'silent',
    'unknown',
    'unsupported',
    'deleted',
    'expired',
    'mail address',
    'key',
    'limit',
  ],
]
const checks = [...checkNames()]

describe('texts', () => {
  test('of both languages have the same ids and values; Chinese has no form for one', () => {
    const shared = [...english].filter(([id]) => !id.endsWith('_one'))
    expect([...chinese.keys()]).toEqual(shared.map(([id]) => id))
    const differing = shared.filter(([id, text]) => String(valuesIn(text)) !== String(valuesIn(chinese.get(id) ?? '')))
    expect(differing).toEqual([])
    expect([...chinese].filter(([, text]) => text.trim() === '' || text.includes('TODO'))).toEqual([])
  })

  test('get exactly the values that they contain', () => {
    const used = [...usedIds((text) => ids.has(text))]
    const wrong = used.filter(
      ({ id, values }) => values && String([...new Set(values)].sort()) !== String(valuesOf(id)),
    )
    expect(used.length).toBeGreaterThan(1000)
    // Steps of time have their id in a table.
    expect(wrong.filter(({ id }) => !id.startsWith('time.'))).toEqual([])
  })

  test('are all used', () => {
    const used = new Set([...usedIds((text) => ids.has(text))].map(({ id }) => id))
    for (const { text } of columnTitles()) used.add(`column.${text}`)
    for (const value of [...values, ...checks]) used.add(`label.${value}`)
    for (const name of Object.keys(SETTINGS)) used.add(`setting.${name}`)
    expect([...ids].filter((id) => !used.has(id))).toEqual([])
  })

  test('exist for each column, setting, check and value in a table', () => {
    expect([...columnTitles()].filter(({ text }) => !ids.has(`column.${text}`))).toEqual([])
    expect(Object.keys(SETTINGS).filter((name) => !ids.has(`setting.${name}`))).toEqual([])
    expect([...values, ...checks].filter((value) => !ids.has(`label.${value}`))).toEqual([])
  })

  test('of the titles of one table differ, in both languages', async () => {
    const same = [...tables()].filter(({ titles }) =>
      [english, chinese].some((texts) => new Set(titles.map((id) => texts.get(`column.${id}`))).size < titles.length),
    )
    expect(same).toEqual([])
  })

  test('are the only words in columns and errors', () => {
    expect([...wordsInColumns()]).toEqual([])
    expect([...wordsInErrors()]).toEqual([])
  })

  test('show values as they are, even if they look like a text with values', async () => {
    for (const { t } of [ENGLISH, await loadTexts('zh')]) {
      expect(t('server.commandsNowUse', { name: '{{name}} $t(label.yes)' })).toContain('{{name}} $t(label.yes)')
    }
  })

  test('have a form for one and for others', async () => {
    expect(ENGLISH.t('token.wroteKeys', { count: 1, output: 'a' })).toBe('Wrote 1 key to a.')
    expect(ENGLISH.t('token.wroteKeys', { count: 2, output: 'a' })).toBe('Wrote 2 keys to a.')
    expect((await loadTexts('zh')).t('token.wroteKeys', { count: 1, output: 'a' })).toBe('已将 1 个密钥写入 a。')
  })

  test('with a number before a noun have a form for one, unless the number is always larger', () => {
    const plural = [...english].filter(
      ([id, text]) => /\{\{count\}\} (\w+ )?\w+s\b/.test(text) && !id.endsWith('_other') && !id.endsWith('_one'),
    )
    expect(plural.map(([id]) => id.replace('ui.', '')).sort()).toEqual([
      'deleteCodes',
      'deleteTokens',
      'deleteUsers',
      'deletingChannels',
      'deletingCodes',
      'deletingTokens',
      'disableUsers',
      'moving.copiedTables',
      'moving.wroteTablesTo',
      'permanentlyDeleteChannelsAndTheirKeys',
      'token.createdAtLeastOfKeys',
      'token.createdOfKeys',
      'updatingChannels',
      'updatingCodes',
      'updatingTokens',
      'updatingUsers',
    ])
  })

  test('of unknown values and columns are their names, also if all objects have a property of that name', () => {
    for (const name of ['constructor', 'a.b', 'SUCCESS']) {
      expect(ENGLISH.label(name)).toBe(name)
      expect(ENGLISH.title(name)).toBe(name)
    }
  })
})
