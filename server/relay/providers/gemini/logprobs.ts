import { type Json, numberOf, objectOf, objectsOf, textOf } from '../../json.ts'

/** `logprobsResult` in OpenAI's shape: the tokens that were chosen, each with those it was chosen from. */
export function openAiLogprobs(result: Json): Json {
  const tops = objectsOf(result.topCandidates)
  return {
    content: objectsOf(result.chosenCandidates).map((chosen, at) => ({
      ...entry(chosen),
      top_logprobs: objectsOf(objectOf(tops[at]).candidates).map(entry),
    })),
    refusal: null,
  }
}

function entry(candidate: Json): Json {
  const token = textOf(candidate.token) ?? ''
  return { token, logprob: numberOf(candidate.logProbability) ?? 0, bytes: [...Buffer.from(token)] }
}
