import { expect, test } from 'vitest'
import { labelsOf } from '../../cli/input/enum-labels.ts'
import { wholeProgram } from '../../cli/program.ts'
import { commander } from '../../cli/texts/zh/commander.ts'
import { zh } from '../../cli/texts/zh.ts'
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
import { textsOfHelp, textsOfSources, untranslatedWords, writtenTexts } from './displayed-texts.ts'
import { cliForReading } from './reference/command-line.ts'

/** What settings mean, and where each comes from, is said by core. */
const meanings = [
  'flag',
  'environment',
  'file',
  'default',
  ...Object.values(SETTINGS).map(({ description }) => description),
]

const vocabularies = [ROLE, USER_STATUS, CHANNEL_STATUS, LOG_TYPE, REDEMPTION_STATUS, TOKEN_STATUS]
/** Values of core that tables show. */
const displayed = [
  ...vocabularies.flatMap(labelsOf),
  ...MULTI_KEY_MODES,
  ...LIMIT_SUBJECTS,
  ...TEAM_ROLES,
  ...LIMIT_MEASURES,
  ...LIMIT_PERIODS,
  ...LIMIT_ACTIONS,
  ...VERDICTS,
  ...['open', 'half-open', 'opened', 'closed', 'disabled', 'enabled', 'key-disabled', 'key-enabled'],
  ...['option', 'library', 'default', 'none', 'pending', 'success', 'answers', 'silent', 'unknown'],
]

test('every value shown in a table is translated', () => {
  expect([...untranslatedWords()].map(({ text, where }) => `${where}: ${text}`)).toEqual([])
  expect(displayed.filter((word) => !Object.hasOwn(zh, word))).toEqual([])
})

test('every text has Chinese', async () => {
  const texts = [...textsOfHelp(await wholeProgram(cliForReading())), ...textsOfSources()]
  expect(texts.length).toBeGreaterThan(300)

  const missing = texts.filter(({ text }) => /[a-z]{2}/i.test(text.replace(/\{\d+\}/g, '')) && !Object.hasOwn(zh, text))
  expect(missing.map(({ text, where }) => `${where}: ${text}`)).toEqual([])
})

test('no unused text is translated', async () => {
  const help = [...textsOfHelp(await wholeProgram(cliForReading()))].map(({ text }) => text)
  const used = new Set([...meanings, ...displayed, ...writtenTexts(), ...help, ...Object.keys(commander)])

  expect(Object.keys(zh).filter((text) => !used.has(text))).toEqual([])
})

test('a translation has the placeholders of its text, and its own wording', () => {
  const valuesOf = (text: string) => [...new Set(text.match(/\{\d+\}/g))].sort()
  const odd = Object.entries(zh).filter(
    ([text, chinese]) => chinese.trim() === '' || String(valuesOf(text)) !== String(valuesOf(chinese)),
  )
  expect(odd).toEqual([])
})
