import { recordOf } from '../../../core/records.ts'
import { type Json, numberOf, objectsOf, textOf } from '../json.ts'

/** The fields of a chat completion's delta that the facades translate. */
export interface ChatPiece {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly {
    readonly index: number
    readonly id?: string
    readonly name?: string
    readonly arguments: string
  }[]
  readonly finish: string | undefined
  readonly usage: FacadeUsage | undefined
}

/** Numbers of tokens. */
export interface FacadeUsage {
  readonly prompt: number
  readonly completion: number
}

/** Returns the first choice of a chunk, or of a whole reply, as one piece. */
export function pieceOf(body: Json): ChatPiece {
  const choice = objectsOf(body.choices)[0] ?? {}
  const delta = recordOf(choice.delta ?? choice.message)
  return {
    text: textOf(delta.content) ?? '',
    reasoning: textOf(delta.reasoning_content) ?? '',
    calls: objectsOf(delta.tool_calls).map((call, at) => {
      const calledFunction = recordOf(call.function)
      return {
        index: numberOf(call.index) ?? at,
        ...(textOf(call.id) !== undefined && { id: String(call.id) }),
        ...(textOf(calledFunction.name) !== undefined && { name: String(calledFunction.name) }),
        arguments: textOf(calledFunction.arguments) ?? '',
      }
    }),
    finish: textOf(choice.finish_reason),
    usage: usageOf(body.usage),
  }
}

function usageOf(usage: unknown): FacadeUsage | undefined {
  const { prompt_tokens, completion_tokens } = recordOf(usage)
  const prompt = numberOf(prompt_tokens)
  return prompt === undefined ? undefined : { prompt, completion: numberOf(completion_tokens) ?? 0 }
}
