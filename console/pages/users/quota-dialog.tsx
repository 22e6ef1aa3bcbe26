import Modal from '@arco-design/web-react/es/Modal'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { adjustQuota, type User } from '../../api/users.ts'
import { QuotaInput } from '../../components/form/quota-input.tsx'
import { Quota } from '../../components/quota.tsx'
import { useAct } from '../../components/saving.ts'

interface Props {
  user: User
  visible: boolean
  /** With the user as it is now. */
  onDone: (user: User) => void
  onClose: () => void
}

/** Adds to a balance at once, or takes from it: what the user spends meanwhile is not lost, as it were by a new total. */
export function QuotaDialog({ user, visible, onDone, onClose }: Props) {
  const { t } = useTranslation()
  const [by, setBy] = useState<number>()
  const openings = useRef(0)
  const adding = useAct({
    run: ({ amount }: { amount: number; opening: number }) => adjustQuota(user.id, amount),
    done: t('action.done'),
    stale: ['user'],
    after: (changed, { opening }) => {
      onDone(changed)
      // It may have been closed meanwhile, and be open for another amount.
      if (opening === openings.current) close()
    },
  })

  function add() {
    if (by && !adding.isPending) adding.mutate({ amount: by, opening: openings.current })
  }

  function close() {
    openings.current++
    setBy(undefined)
    onClose()
  }

  return (
    <Modal
      title={t('user.addQuota')}
      visible={visible}
      onCancel={close}
      onOk={add}
      okText={t('action.confirm')}
      cancelText={t('action.cancel')}
      confirmLoading={adding.isPending}
      okButtonProps={{ disabled: !by }}
      unmountOnExit
    >
      <p className="panel-note" style={{ marginBottom: 12 }}>
        {t('user.addQuotaHint')}
      </p>
      <QuotaInput
        {...(by !== undefined && { value: by })}
        onChange={setBy}
        onPressEnter={add}
        min={Number.MIN_SAFE_INTEGER}
        aria-label={t('user.addQuota')}
      />
      <p className="panel-note" style={{ marginTop: 12 }}>
        {t('user.balanceAfter')} <Quota value={user.quota + (by ?? 0)} />
      </p>
    </Modal>
  )
}
