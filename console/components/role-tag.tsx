import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { ROLE } from '../access.ts'
import { StatusTag, type TagLook } from './status-tag.tsx'

export function RoleTag({ role }: { role: number }) {
  const { t } = useTranslation()
  return <StatusTag {...roleLook(t, role)} />
}

export function roleLook(t: TFunction, role: number): TagLook {
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
