import { expect, test } from 'vitest'
import { wholeProgram } from '../../cli/program.ts'
import { commander } from '../../cli/texts/zh/commander.ts'
import { zh } from '../../cli/texts/zh.ts'
import { SETTINGS } from '../../core/config.ts'
import { cliForReading } from './reference/command-line.ts'
import { textsOfHelp, textsOfSources, writtenTexts } from './said-texts.ts'

/** What settings mean, and where each comes from, is said by core. */
const meanings = [
  'flag',
  'environment',
  'file',
  'default',
  ...Object.values(SETTINGS).map(({ description }) => description),
]

test('every text has Chinese', async () => {
  const said = [...textsOfHelp(await wholeProgram(cliForReading())), ...textsOfSources()]
  expect(said.length).toBeGreaterThan(300)

  const missing = said.filter(({ text }) => /[a-z]{2}/i.test(text.replace(/\{\d+\}/g, '')) && !Object.hasOwn(zh, text))
  expect(missing.map(({ text, where }) => `${where}: ${text}`)).toEqual([])
})

test('nothing is translated that nobody says', async () => {
  const help = [...textsOfHelp(await wholeProgram(cliForReading()))].map(({ text }) => text)
  const said = new Set([...meanings, ...writtenTexts(), ...help, ...Object.keys(commander)])

  expect(Object.keys(zh).filter((text) => !said.has(text))).toEqual([])
})

test('a translation has the values of its text, and its own words', () => {
  const valuesOf = (text: string) => [...new Set(text.match(/\{\d+\}/g))].sort()
  const odd = Object.entries(zh).filter(
    ([text, chinese]) => chinese.trim() === '' || String(valuesOf(text)) !== String(valuesOf(chinese)),
  )
  expect(odd).toEqual([])
})
