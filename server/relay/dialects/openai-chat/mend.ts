import { CallOrder } from '../../attempt/call-order.ts'
import { arrayOf, isObject, type Json, numberOf, objectOf, objectsOf, textOf } from '../../json.ts'
import { FINISH } from './reply-parts.ts'

interface ChoiceState {
  /** Its first delta has passed. */
  begun: boolean
  finished: boolean
  /** Undefined: no call was seen. */
  order: CallOrder | undefined
}

/** Puts right, in chunks of an upstream that claims to speak chat completions, what official clients fail at. */
export interface ChunkMender {
  /** The very object where nothing must change, as is the rule. */
  mend(chunk: Json): Json
  /** The choices that nobody finished, as the last chunk has them. */
  unfinished(): Json[]
}

/**
 * Clients throw at a chunk without `choices`, at a choice or a call without an index or with a wrong one, and at a reply in which nobody
 * has a role or a finish reason; some stop at `finish_reason: ""`. All else passes, odd as it may be.
 */
export function chunkMender(): ChunkMender {
  const choices = new Map<number, ChoiceState>()

  function stateOf(index: number): ChoiceState {
    const found = choices.get(index) ?? { begun: false, finished: false, order: undefined }
    choices.set(index, found)
    return found
  }

  function mendChoice(choice: Json): Json {
    const index = numberOf(choice.index)
    const state = stateOf(index ?? 0)
    const delta = mendDelta(choice, state)
    const reason = choice.finish_reason
    // An empty text and the text "null" have been seen where vendors mean: not finished.
    const running = reason === '' || reason === 'null'
    if (reason && !running) state.finished = true
    if (delta === choice.delta && !running && index !== undefined) return choice
    const { message, ...rest } = choice
    const told = delta === choice.delta ? choice : { ...rest, delta }
    return { ...told, index: index ?? 0, ...(running && { finish_reason: null }) }
  }

  function mendDelta(choice: Json, state: ChoiceState): unknown {
    // A whole message in place of a stream; after deltas it only repeats them.
    const whole = !state.begun && !isObject(choice.delta) && isObject(choice.message) ? choice.message : undefined
    const delta = whole ?? choice.delta
    if (!isObject(delta)) return delta
    const isFirst = !state.begun
    state.begun = true
    const numbered = delta.tool_calls ? withNumbers(delta, state) : delta
    return isFirst && !textOf(delta.role) ? { ...numbered, role: 'assistant' } : numbered
  }

  return {
    mend(chunk) {
      const sent: unknown = chunk.choices
      if (!Array.isArray(sent)) return { ...chunk, choices: [] }
      const mended = sent.map((choice: unknown) => (isObject(choice) ? mendChoice(choice) : choice))
      return mended.every((choice, at) => choice === sent[at]) ? chunk : { ...chunk, choices: mended }
    },
    unfinished() {
      const open = [...choices].filter(([, { begun, finished }]) => begun && !finished)
      return open.map(([index, { order }]) => {
        const finish_reason = order ? FINISH.tools : FINISH.stop
        return { index, delta: {}, finish_reason }
      })
    },
  }
}

function withNumbers(delta: Json, state: ChoiceState): Json {
  // One vendor sends the one call instead of a list of them.
  const calls = isObject(delta.tool_calls) ? [delta.tool_calls] : objectsOf(delta.tool_calls)
  if (calls.length === 0) return delta
  state.order ??= new CallOrder()
  const { order } = state
  const numbered = calls.map((call) => {
    const index = numberOf(call.index)
    const called = objectOf(call.function ?? call.custom)
    const hasArguments = Boolean(called.arguments ?? called.input)
    const number = order.numberOf({ index, id: textOf(call.id), name: textOf(called.name), hasArguments })
    return index === number ? call : { ...call, index: number }
  })
  const sent = arrayOf(delta.tool_calls)
  const isSame = numbered.length === sent.length && numbered.every((call, at) => call === sent[at])
  return isSame ? delta : { ...delta, tool_calls: numbered }
}
