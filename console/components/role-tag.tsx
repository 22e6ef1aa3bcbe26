import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { ROLE } from '../access.ts'
import { type BadgeStyle, nameOf, StatusTag } from './status-tag.tsx'

export function RoleTag({ role }: { role: number }) {
  const { t } = useTranslation()
  return <StatusTag {...roleBadge(t, role)} />
}

const COLORS = { common: 'blue', admin: 'gold', root: 'orange', unknown: 'red' } as const

export function roleBadge(t: TFunction, role: number): BadgeStyle {
  const name = nameOf(ROLE, role) ?? 'unknown'
  return { color: COLORS[name], text: t(`user.role.${name}`) }
}
