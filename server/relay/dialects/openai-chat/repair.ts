import { isRecord, recordOf } from '../../../../core/records.ts'
import { CallOrder } from '../../attempt/call-order.ts'
import { arrayOf, type Json, numberOf, objectsOf, textOf } from '../../json.ts'
import { CHAT_FINISH_REASONS } from './reply-parts.ts'

interface ChoiceState {
  /** Whether the first delta has been forwarded. */
  hasBegun: boolean
  isFinished: boolean
  /** Undefined before the first call. */
  order: CallOrder | undefined
}

/** Repairs chunks of a stream that official clients cannot parse. */
interface ChunkRepairer {
  /** Returns the same object if nothing changes, which is the usual case. */
  repair(chunk: Json): Json
  /** Returns a finish reason for each unfinished choice, for an additional last chunk. */
  unfinished(): Json[]
}

/**
 * Creates a repairer for one stream. Clients fail if `choices`, the index of a choice or call, the role or the finish
 * reason is missing or wrong. Some clients stop at `finish_reason: ""`. Other data is forwarded unchanged.
 */
export function chunkRepairer(): ChunkRepairer {
  const choices = new Map<number, ChoiceState>()

  function stateOf(index: number): ChoiceState {
    const state = choices.get(index) ?? { hasBegun: false, isFinished: false, order: undefined }
    choices.set(index, state)
    return state
  }

  function repairChoice(choice: Json): Json {
    const index = numberOf(choice.index)
    const state = stateOf(index ?? 0)
    const delta = repairDelta(choice, state)
    const reason = choice.finish_reason
    // Some vendors send an empty string or "null" for an unfinished choice.
    const isUnfinished = reason === '' || reason === 'null'
    if (reason && !isUnfinished) state.isFinished = true
    if (delta === choice.delta && !isUnfinished && index !== undefined) return choice
    const { message, ...rest } = choice
    const withDelta = delta === choice.delta ? choice : { ...rest, delta }
    return { ...withDelta, index: index ?? 0, ...(isUnfinished && { finish_reason: null }) }
  }

  function repairDelta(choice: Json, state: ChoiceState): unknown {
    // An upstream may send a whole message instead of deltas. After deltas, a whole message only repeats the deltas.
    const whole = !state.hasBegun && !isRecord(choice.delta) && isRecord(choice.message) ? choice.message : undefined
    const delta = whole ?? choice.delta
    if (!isRecord(delta)) return delta
    const isFirst = !state.hasBegun
    state.hasBegun = true
    const numberedDelta = delta.tool_calls ? withNumbers(delta, state) : delta
    return isFirst && !textOf(delta.role) ? { ...numberedDelta, role: 'assistant' } : numberedDelta
  }

  return {
    repair(chunk) {
      const sentChoices: unknown = chunk.choices
      if (!Array.isArray(sentChoices)) return { ...chunk, choices: [] }
      const repaired = sentChoices.map((choice: unknown) => (isRecord(choice) ? repairChoice(choice) : choice))
      return repaired.every((choice, at) => choice === sentChoices[at]) ? chunk : { ...chunk, choices: repaired }
    },
    unfinished() {
      const unfinishedChoices = [...choices].filter(([, { hasBegun, isFinished }]) => hasBegun && !isFinished)
      return unfinishedChoices.map(([index, { order }]) => {
        const finish_reason = order ? CHAT_FINISH_REASONS.tools : CHAT_FINISH_REASONS.stop
        return { index, delta: {}, finish_reason }
      })
    },
  }
}

function withNumbers(delta: Json, state: ChoiceState): Json {
  // One vendor sends a single call as an object instead of a list.
  const calls = isRecord(delta.tool_calls) ? [delta.tool_calls] : objectsOf(delta.tool_calls)
  if (calls.length === 0) return delta
  state.order ??= new CallOrder()
  const { order } = state
  const numberedCalls = calls.map((call) => {
    const index = numberOf(call.index)
    const called = recordOf(call.function ?? call.custom)
    const hasArguments = Boolean(called.arguments ?? called.input)
    const number = order.numberOf({ index, id: textOf(call.id), name: textOf(called.name), hasArguments })
    return index === number ? call : { ...call, index: number }
  })
  const sentCalls = arrayOf(delta.tool_calls)
  const isSame = numberedCalls.length === sentCalls.length && numberedCalls.every((call, at) => call === sentCalls[at])
  return isSame ? delta : { ...delta, tool_calls: numberedCalls }
}
