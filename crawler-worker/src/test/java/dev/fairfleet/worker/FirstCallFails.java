package dev.fairfleet.worker;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;

/** Lets the first call of one name fail, whatever port it belongs to, before anything is done. */
record FirstCallFails(String method, AtomicBoolean failed) {
  FirstCallFails(String method) {
    this(method, new AtomicBoolean());
  }

  <T> T wrap(Class<T> port, T real) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, called, arguments) -> {
              if (called.getName().equals(method) && failed.compareAndSet(false, true)) {
                throw new IllegalStateException(method + " failed");
              }
              try {
                return called.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
