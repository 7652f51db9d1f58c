# Where the plugin goes when it is installed: see install.sh.
EXTRA_DIST += %D%/gcc.sh %D%/install.sh %D%/specs.sh

PLUGIN_INSTALL = GCC_VERSIONS='$(GCC_VERSIONS)' prefix='$(prefix)' \
	libdir='$(libdir)' DESTDIR='$(DESTDIR)' srcdir='$(srcdir)/%D%' \
	builddir='%D%' strip='$(INSTALL_STRIP_FLAG)' $(SHELL) $(srcdir)/%D%/install.sh

install-data-local:
	$(AM_V_at)$(PLUGIN_INSTALL) install

uninstall-local:
	$(AM_V_at)$(PLUGIN_INSTALL) uninstall
