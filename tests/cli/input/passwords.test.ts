import { expect, test } from 'vitest'
import { revokesKeys } from '../../../cli/input/passwords.ts'
import type { Prompts } from '../../../cli/input/prompts.ts'
import { ENGLISH } from '../../../cli/texts.ts'

/** A terminal whose user answers the question, and how often it was asked. */
function terminal(answer: boolean, { interactive = true } = {}) {
  let questions = 0
  const confirm = async () => {
    questions += 1
    return answer
  }
  const cli = { interactive, prompts: async () => ({ confirm }) as unknown as Prompts, t: ENGLISH.t }
  return { cli, questions: () => questions }
}

test.each([true, false])('a new password prompts whether to delete the API keys: %s', async (answer) => {
  const { cli, questions } = terminal(answer)

  expect(await revokesKeys(cli, { isGiven: false })).toBe(answer)
  expect(questions()).toBe(1)
})

test.each([
  ['the flag says so', true, { revokeKeys: true, isGiven: false }, {}],
  ['the password comes from stdin', false, { isGiven: true }, {}],
  ['no terminal is there', false, { isGiven: false }, { interactive: false }],
] as const)('there is no prompt if %s', async (_, revokes, flags, kind) => {
  const { cli, questions } = terminal(!revokes, kind)

  expect(await revokesKeys(cli, flags)).toBe(revokes)
  expect(questions()).toBe(0)
})
