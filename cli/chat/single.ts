import type { Cli } from '../cli.ts'
import { CommandError } from '../errors.ts'
import { answerWriter, noteCost } from './display.ts'
import type { ChatAnswer } from './request.ts'
import type { ChatSession } from './session.ts'

/** Sends one prompt and writes the reply to stdout. Throws INTERRUPTED on Ctrl-C; the output so far is charged. */
export async function runSinglePrompt(cli: Cli, session: ChatSession, prompt: string): Promise<void> {
  const signal = cli.interruption()
  const writer = answerWriter(cli)
  const onText = (text: string) => {
    if (!cli.json) writer.write(text)
  }
  let answer: ChatAnswer
  try {
    answer = await session.ask(prompt, { signal, onText })
  } catch (error) {
    writer.end()
    if (signal.aborted) throw new CommandError('INTERRUPTED', cli.t('chat.theAnswerWasStopped'))
    throw error
  }
  if (cli.json)
    return cli.writeJson({ ...answer, usage: answer.usage ?? null, quota: (await session.cost(answer)) ?? null })
  writer.end()
  if (cli.stderr.isTTY) await noteCost(cli, session, answer)
}
