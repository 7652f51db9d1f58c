dist_check_SCRIPTS += %D%/specs.test %D%/install.test %D%/make-install.test %D%/gcc.test
