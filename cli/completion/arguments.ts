/* Words that completion offers for options that also accept numbers and therefore have no Commander choices. */

type Load = () => Promise<readonly string[]>

const labelsFrom =
  (load: () => Promise<Readonly<Record<string, number>>>): Load =>
  async () =>
    (await import('../input/enum-labels.ts')).labelsOf(await load())

const roles = labelsFrom(async () => (await import('../../core/actor.ts')).ROLE)
const states = labelsFrom(async () => (await import('../../core/actor.ts')).USER_STATUS)
const redemptionStates = labelsFrom(async () => (await import('../../core/redemption/redemption.ts')).REDEMPTION_STATUS)
const userStates: Load = async () => [...(await states()), 'deleted']
/** Offers only the group that always exists. The names of other groups would need a call to the gateway. */
const groups: Load = async () => ['default']
const logTypes = labelsFrom(async () => (await import('../../core/logs/log.ts')).LOG_TYPE)
const areas: Load = async () => (await import('../columns/option.ts')).optionAreas()
const verdicts: Load = async () => (await import('../../core/wallet/schema.ts')).VERDICTS

/** Loaders of the words. A key is a command and an option, a noun and an option, or only an option. */
export const WORDS: Readonly<Record<string, Load>> = {
  '--group': groups,
  'channel list --status': labelsFrom(async () => (await import('../../core/channels/channel.ts')).CHANNEL_STATUS),
  'log --type': logTypes,
  'option --area': areas,
  'redemption list --status': redemptionStates,
  'redemption export --status': async () => [...(await redemptionStates()), 'all'],
  'user create --role': async () => ['common', 'admin'],
  'user --role': roles,
  'user --status': userStates,
  'wallet orders --status': async () => ['pending', 'success'],
  'wallet top-up --method': async () => ['alipay', 'wechat'],
  'wallet callbacks --verdict': verdicts,
  'task list --status': async () => ['NOT_START', 'SUBMITTED', 'IN_PROGRESS', 'FAILURE', 'SUCCESS'],
}
