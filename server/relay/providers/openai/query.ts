/**
 * Parameters that Google's front ends read for every API, even for OpenAI's format.
 * https://cloud.google.com/apis/docs/system-parameters
 *
 * These parameters could remove the usage from a reply, change the reply's format, or choose the billed project.
 */
const SYSTEM_PARAMETERS = `accesstoken alt apiversionoverride bearertoken callback fields key oauthtoken outputdefaults pp prettyprint quotauser
  uploadprotocol uploadtype userip userproject xgafv`
/** Parameters that are not forwarded. `model` and `deployment` could contradict the model that the gateway sends. */
const FORBIDDEN = new Set(['model', 'deployment', ...SYSTEM_PARAMETERS.split(/\s+/)])

/** Returns the client's query without parameters that change the cost or the payer of a request. */
export function forwardedQuery(query: string): string {
  if (query === '') return query
  return query
    .split('&')
    .filter((pair) => !pair.includes(';') && namesOf(pair).every((name) => !FORBIDDEN.has(name)))
    .join('&')
}

/** Returns parameter names in lower case and only letters, because variants contain a dollar sign or underscores. */
function namesOf(pair: string): string[] {
  return [...new URLSearchParams(pair).keys()].map((name) => name.toLowerCase().replace(/[^a-z]/g, ''))
}
