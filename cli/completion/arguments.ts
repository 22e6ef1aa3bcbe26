/* Words that completion offers for options without Commander choices, such as options that also accept numbers. */

type Load = () => Promise<readonly string[]>

const labelsFrom =
  (load: () => Promise<Readonly<Record<string, number>>>): Load =>
  async () =>
    (await import('../input/enum-labels.ts')).labelsOf(await load())

const states = labelsFrom(async () => (await import('../../core/actor.ts')).USER_STATUS)
const redemptionStates = labelsFrom(async () => (await import('../../core/redemption/redemption.ts')).REDEMPTION_STATUS)

/** Loaders of the words. A key is a command and an option, a noun and an option, or only an option. */
export const WORDS: Readonly<Record<string, Load>> = {
  // Offers only the group that always exists. The names of other groups would need a call to the gateway.
  '--group': async () => ['default'],
  'channel list --status': labelsFrom(async () => (await import('../../core/channels/channel.ts')).CHANNEL_STATUS),
  'log --type': labelsFrom(async () => (await import('../../core/logs/log.ts')).LOG_TYPE),
  'option --area': async () => (await import('../columns/option.ts')).optionAreas(),
  'redemption list --status': redemptionStates,
  'redemption export --status': async () => [...(await redemptionStates()), 'all'],
  'user create --role': async () => ['common', 'admin'],
  'user --role': labelsFrom(async () => (await import('../../core/actor.ts')).ROLE),
  'user --status': async () => [...(await states()), 'deleted'],
  'wallet orders --status': async () => ['pending', 'success'],
  'wallet top-up --method': async () => ['alipay', 'wechat'],
  'wallet callbacks --verdict': async () => (await import('../../core/wallet/schema.ts')).VERDICTS,
  'task list --status': async () => ['NOT_START', 'SUBMITTED', 'IN_PROGRESS', 'FAILURE', 'SUCCESS'],
}
