import Dropdown from '@arco-design/web-react/es/Dropdown'
import Menu from '@arco-design/web-react/es/Menu'
import { cloneElement, type KeyboardEvent, type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react'

interface Props {
  button: ReactElement<{ 'aria-haspopup'?: 'menu'; 'aria-expanded'?: boolean }>
  /** The `Menu.Item`s, which may be links. */
  children: ReactNode
  /** Whether the menu opens to the right of the button instead of below it. */
  sideways?: boolean
}

/**
 * A button that opens a menu. Arco's own menu opens only with the pointer and leaves the focus on the button. This menu
 * follows the ARIA pattern for menu buttons. The first item gets the focus, and arrow keys move the focus. Escape and
 * Tab close the menu and focus the button.
 */
export function DropdownMenu({ button, children, sideways = false }: Props) {
  const [open, setOpen] = useState(false)
  const holder = useRef<HTMLSpanElement>(null)
  const menu = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (open) itemsOf(menu.current)[0]?.focus()
  }, [open])

  function onKeyDown(event: KeyboardEvent) {
    const items = itemsOf(menu.current)
    const index = items.findIndex((item) => item.matches(':focus'))
    switch (event.key) {
      case 'ArrowDown':
        items[(index + 1) % items.length]?.focus()
        break
      case 'ArrowUp':
        items.at(index <= 0 ? -1 : index - 1)?.focus()
        break
      case 'Escape':
      case 'Tab':
        setOpen(false)
        holder.current?.querySelector('button')?.focus()
        break
      case ' ':
        items[index]?.click()
        break
      case 'Enter':
        // The item has handled Enter, and the button may have the focus now. Without preventDefault, the button would
        // be clicked.
        if (event.target instanceof HTMLAnchorElement) event.target.click()
        break
      default:
        return
    }
    event.preventDefault()
  }

  return (
    <span ref={holder}>
      <Dropdown
        trigger="click"
        triggerProps={{ position: sideways ? 'rt' : 'br' }}
        popupVisible={open}
        onVisibleChange={setOpen}
        droplist={
          <Menu ref={menu} onKeyDown={onKeyDown}>
            {children}
          </Menu>
        }
      >
        {cloneElement(button, { 'aria-haspopup': 'menu', 'aria-expanded': open })}
      </Dropdown>
    </span>
  )
}

function itemsOf(menu: HTMLElement | null): HTMLElement[] {
  return Array.from(menu?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])
}
