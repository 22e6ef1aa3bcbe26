import Modal from '@arco-design/web-react/es/Modal'
import type { TFunction } from 'i18next'

/** Warns that root still has the manual's default password. `change` opens the page that changes it. */
export function warnOfDefaultPassword(t: TFunction, change: () => unknown): void {
  Modal.confirm({
    icon: null,
    title: t('account.defaultPassword'),
    content: t('account.changePassword'),
    okText: t('account.changeNow'),
    cancelText: t('account.changeLater'),
    okButtonProps: { status: 'danger' },
    autoFocus: true,
    focusLock: true,
    onOk: () => void change(),
  })
}
