import Dropdown from '@arco-design/web-react/es/Dropdown'
import Menu from '@arco-design/web-react/es/Menu'
import { cloneElement, type KeyboardEvent, type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react'

interface Props {
  button: ReactElement<{ 'aria-haspopup'?: 'menu'; 'aria-expanded'?: boolean }>
  /** `Menu.Item`s. Links are followed. */
  children: ReactNode
  /** Opens to the right of the button instead of below. */
  sideways?: boolean
}

/**
 * A button that opens a menu. Arco's menu opens only with the pointer and leaves the focus on the button. This one follows
 * the menu-button pattern: the first item gets the focus, arrows move it, Escape and Tab close the menu and restore it.
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
        // Prevent the default: the item has handled Enter and the focus is on the button, which would handle it again.
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
