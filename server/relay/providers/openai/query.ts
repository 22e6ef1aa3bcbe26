/**
 * Google front ends read these parameters for every API, OpenAI's format included: they could drop the usage from a reply,
 * change its format, or choose the billed project. https://cloud.google.com/apis/docs/system-parameters
 */
const SYSTEM = `accesstoken alt apiversionoverride bearertoken callback fields key oauthtoken outputdefaults pp prettyprint quotauser
  uploadprotocol uploadtype userip userproject xgafv`
/** The body names the model, as the channel maps it. */
const FORBIDDEN = new Set(['model', 'deployment', ...SYSTEM.split(/\s+/)])

/** Returns the client's query without parameters that change the cost or the payer of a request. */
export function forwardedQuery(query: string): string {
  if (query === '') return query
  return query
    .split('&')
    .filter((pair) => !pair.includes(';') && namesOf(pair).every((name) => !FORBIDDEN.has(name)))
    .join('&')
}

/** Returns only the lower-cased letters of names, whose variants have a dollar sign or underscores. */
function namesOf(pair: string): string[] {
  return [...new URLSearchParams(pair).keys()].map((name) => name.toLowerCase().replace(/[^a-z]/g, ''))
}
