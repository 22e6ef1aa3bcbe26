import { expect, test } from 'vitest'
import { wholeProgram } from '../../cli/program.ts'
import { zh } from '../../cli/texts/zh.ts'
import { COMPLETE, cliForReading } from './reference/command-line.ts'
import { textsOfHelp, textsOfSources } from './said-texts.ts'

test.runIf(COMPLETE)('every text has Chinese, and each translation has the values of its text', async () => {
  const said = [...textsOfHelp(await wholeProgram(cliForReading())), ...textsOfSources()]
  expect(said.length).toBeGreaterThan(300)

  const missing = said.filter(({ text }) => /[a-z]{2}/i.test(text.replace(/\{\d+\}/g, '')) && !Object.hasOwn(zh, text))
  expect(missing.map(({ text, where }) => `${where}: ${text}`)).toEqual([])
})
