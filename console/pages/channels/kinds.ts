import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { Channel } from '../../api/channels.ts'
import { useKinds } from './drawer/use-channel-form.ts'

/** Channel types for drawings and music. Such channels accept only task models, even if they list other models. */
const TASK_KINDS = new Set([2, 5, 36])

export type KindName = (type: number) => string

/** Returns a function that names channel types. Until the names are loaded, it returns the number, such as `#14`. */
export function useKindName(): KindName {
  const { t } = useTranslation()
  const { data: kinds } = useKinds()
  return useCallback(
    (type) =>
      kinds?.find((kind) => kind.type === type)?.name ?? (kinds ? t('channel.unknownKind', { type }) : `#${type}`),
    [t, kinds],
  )
}

/** Returns whether channels of this type can be tested; until the types are loaded, true for all except task types. */
export function useTestable(type: number): boolean {
  const { data: kinds } = useKinds()
  return !TASK_KINDS.has(type) && (kinds === undefined || kinds.some((kind) => kind.type === type))
}

/** Returns the models with which a channel can be tested. */
export function useTestModels({ type, models }: Pick<Channel, 'type' | 'models'>): readonly string[] {
  const { data: kinds } = useKinds()
  if (TASK_KINDS.has(type)) return kinds?.find((kind) => kind.type === type)?.models ?? []
  return models.split(',').filter((model) => model !== '')
}
