import type { Cli } from '../cli.ts'
import type { ChatAnswer } from './request.ts'
import type { ChatSession } from './session.ts'
import { createWordWrap } from './word-wrap.ts'

/** Removes control characters except newlines and tabs, but only if stdout is a terminal. */
function terminalTextOf(text: string, { terminal }: { terminal: boolean }): string {
  return terminal ? text.replace(/[^\P{Cc}\n\t]/gu, '') : text
}

/** Writes a reply as it arrives: wrapped at words on a terminal, unchanged in a pipe. */
export function answerWriter({ stdout }: Pick<Cli, 'stdout'>): { write(text: string): void; end(): void } {
  const terminal = stdout.isTTY === true
  let lastCharacter = '\n'
  const put = (text: string) => {
    lastCharacter = text.at(-1) ?? lastCharacter
    stdout.write(text)
  }
  // `columns` is 0 if the terminal does not report its width.
  const wrap = terminal && stdout.columns ? createWordWrap(stdout.columns, put) : { take: put, end() {} }
  return {
    write: (text) => wrap.take(terminalTextOf(text, { terminal })),
    end() {
      wrap.end()
      if (lastCharacter !== '\n') stdout.write('\n')
    },
  }
}

/** Prints tokens and cost of a reply. */
export async function noteCost(cli: Cli, session: ChatSession, answer: ChatAnswer): Promise<void> {
  if (!answer.usage) return
  const { prompt_tokens, completion_tokens } = answer.usage
  const quota = await session.cost(answer)
  const { color, quota: formatQuota } = await cli.format()
  const line =
    quota === undefined
      ? cli.t('chat.tokens', { promptTokens: prompt_tokens, completionTokens: completion_tokens })
      : cli.t('chat.tokensAndCost', {
          promptTokens: prompt_tokens,
          completionTokens: completion_tokens,
          cost: formatQuota(quota),
        })
  cli.stderr.write(`${color.dim(line)}\n`)
}
