import { useTranslation } from 'react-i18next'
import type { Channel } from '../../api/channels.ts'
import type { TagLook } from '../../components/status-tag.tsx'
import { useKinds } from './drawer/use-channel-form.ts'

/** The colour of each kind of upstream, one of Arco's: vendors that belong together share theirs. */
const COLOURS: Record<number, string> = {
  1: 'green',
  2: 'blue',
  3: 'cyan',
  5: 'blue',
  6: 'purple',
  7: 'purple',
  8: 'pinkpurple',
  9: 'purple',
  10: 'purple',
  11: 'orange',
  12: 'purple',
  13: 'purple',
  14: 'orangered',
  15: 'arcoblue',
  16: 'purple',
  17: 'orange',
  18: 'blue',
  19: 'green',
  20: 'arcoblue',
  21: 'purple',
  22: 'arcoblue',
  23: 'cyan',
  24: 'orange',
  25: 'green',
  26: 'purple',
  27: 'cyan',
  31: 'green',
  33: 'orangered',
  34: 'purple',
  35: 'magenta',
  36: 'pinkpurple',
  37: 'blue',
  38: 'cyan',
  39: 'orange',
  40: 'purple',
  41: 'blue',
  42: 'orange',
  43: 'blue',
  44: 'purple',
  45: 'blue',
  46: 'arcoblue',
  49: 'arcoblue',
}

/** Upstreams that draw or make music take tasks of these alone, whatever a channel lists. */
const TASK_KINDS = new Set([2, 5, 36])

export type KindLook = (type: number) => TagLook

/** How the kind of an upstream is shown: its name once it is known, and before that its number. */
export function useKindLook(): KindLook {
  const { t } = useTranslation()
  const { data: kinds } = useKinds()
  return (type) => {
    const kind = kinds?.find((each) => each.type === type)
    const unknown = kinds ? t('channel.unknownKind', { type }) : `#${type}`
    return { text: kind?.name ?? unknown, color: COLOURS[type] ?? 'gray' }
  }
}

/** Whether channels of this kind can be tested. While the kinds are not known, all but those of tasks. */
export function useTestable(type: number): boolean {
  const { data: kinds } = useKinds()
  return !TASK_KINDS.has(type) && (kinds === undefined || kinds.some((kind) => kind.type === type))
}

/** What a channel can be tested with. */
export function useTestModels({ type, models }: Pick<Channel, 'type' | 'models'>): readonly string[] {
  const { data: kinds } = useKinds()
  if (TASK_KINDS.has(type)) return kinds?.find((kind) => kind.type === type)?.models ?? []
  return models.split(',').filter((model) => model !== '')
}
