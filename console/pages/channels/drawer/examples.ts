const laidOut = (value: object) => JSON.stringify(value, null, 2)

/** What clients ask for, and what the provider calls it. */
export const MAPPING_EXAMPLE = laidOut({ 'gpt-3.5-turbo': 'gpt-3.5-turbo-0125' })

/** What the provider answers, and what it counts as. */
export const STATUS_EXAMPLE = laidOut({ 400: '500' })

export const SETTING_EXAMPLE = laidOut({
  proxy: 'socks5://127.0.0.1:1080',
  header_override: { 'x-team': 'blue' },
  param_override: { temperature: 0 },
  system_prompt: 'Answer in French.',
})
