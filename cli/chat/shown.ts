import type { Cli } from '../cli.ts'
import type { ChatAnswer } from './ask.ts'
import type { ChatSession } from './session.ts'
import { createWordWrap } from './word-wrap.ts'

/** Text of a model on a terminal: lines and tabs pass, what would steer the terminal does not. In a pipe everything passes. */
export function shownText(text: string, { terminal }: { terminal: boolean }): string {
  return terminal ? text.replace(/[^\P{Cc}\n\t]/gu, '') : text
}

/** Where an answer goes as it comes: in lines of whole words on a terminal, as it is in a pipe. */
export function answerWriter({ stdout }: Pick<Cli, 'stdout'>): { write(text: string): void; end(): void } {
  const terminal = stdout.isTTY === true
  let last = '\n'
  const put = (text: string) => {
    last = text.at(-1) ?? last
    stdout.write(text)
  }
  // A terminal that does not know its width says 0.
  const wrap = terminal && stdout.columns ? createWordWrap(stdout.columns, put) : { take: put, end() {} }
  return {
    write: (text) => wrap.take(shownText(text, { terminal })),
    end() {
      wrap.end()
      if (last !== '\n') stdout.write('\n')
    },
  }
}

/** What an answer took, for people. */
export async function noteCost(cli: Cli, session: ChatSession, answer: ChatAnswer): Promise<void> {
  if (!answer.usage) return
  const { prompt_tokens, completion_tokens } = answer.usage
  const quota = await session.cost(answer)
  const { color, quota: shown } = await cli.format()
  const line =
    quota === undefined
      ? cli.say`${prompt_tokens} + ${completion_tokens} tokens`
      : cli.say`${prompt_tokens} + ${completion_tokens} tokens, ${shown(quota)}`
  cli.stderr.write(`${color.dim(line)}\n`)
}
