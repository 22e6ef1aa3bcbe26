import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { ROLE } from '../access.ts'
import { type BadgeStyle, StatusTag } from './status-tag.tsx'

export function RoleTag({ role }: { role: number }) {
  const { t } = useTranslation()
  return <StatusTag {...roleBadge(t, role)} />
}

export function roleBadge(t: TFunction, role: number): BadgeStyle {
  switch (role) {
    case ROLE.common:
      return { color: 'blue', text: t('user.role.common') }
    case ROLE.admin:
      return { color: 'gold', text: t('user.role.admin') }
    case ROLE.root:
      return { color: 'orange', text: t('user.role.root') }
    default:
      return { color: 'red', text: t('user.role.unknown') }
  }
}
